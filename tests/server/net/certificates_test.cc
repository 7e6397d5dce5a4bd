// SPDX-License-Identifier: MIT
// An authority of the caller's.
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "server/net/certificates.h"
#include "server/net/openssl_owner.h"

namespace retrylab::net {
namespace {

using testing::HasSubstr;

std::string text_of(const Bio& bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

Certificate read(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
}

// A certificate that signs itself, as openssl's `req -x509` makes it.
Identity made_authority() {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3'600);
  const auto* name = reinterpret_cast<const unsigned char*>("ours");
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, name,
                             -1, -1, 0);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  X509_set_pubkey(certificate.get(), key.get());
  X509_add1_ext_i2d(certificate.get(), NID_basic_constraints,
                    std::make_unique<BASIC_CONSTRAINTS>(BASIC_CONSTRAINTS{1, nullptr}).get(), 1, 0);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const Bio first(BIO_new(BIO_s_mem()));
  const Bio second(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(first.get(), certificate.get());
  PEM_write_bio_PrivateKey(second.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(first), text_of(second)};
}

TEST(given_authority, signs_what_is_shown_in_either_order_of_its_file) {
  const Identity ours = made_authority();
  const Certificate authority = read(ours.certificate);
  for (const std::string& pem : {ours.certificate + ours.key, ours.key + ours.certificate}) {
    const auto made = make_identities(pem);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->authority, ours.certificate);
    EVP_PKEY* signer = X509_get0_pubkey(authority.get());
    EXPECT_EQ(X509_verify(read(made->right.certificate).get(), signer), 1);
    EXPECT_EQ(X509_verify(read(made->wrong_host.certificate).get(), signer), 1);
    EXPECT_NE(X509_verify(read(made->untrusted.certificate).get(), signer), 1);
  }
}

TEST(given_authority, says_what_is_wrong_with_it) {
  const Identity ours = made_authority();
  const auto other = make_identities();
  struct Case {
    std::string pem;
    std::string says;
  };
  const Case cases[] = {{"", "no certificate"},
                        {"-----BEGIN CERTIFICATE-----\nrubbish\n", "no certificate"},
                        {ours.key, "no certificate"},
                        {ours.certificate, "no private key"},
                        {ours.certificate + other->right.key, "not the certificate's"},
                        {other->right.certificate + other->right.key, "no authority's"}};
  for (const Case& wrong : cases) {
    const auto made = make_identities(wrong.pem);
    ASSERT_FALSE(made) << wrong.says;
    EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(made.error().message, HasSubstr(wrong.says));
  }
}

}  // namespace
}  // namespace retrylab::net
