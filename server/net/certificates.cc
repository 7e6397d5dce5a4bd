// SPDX-License-Identifier: MIT
#include "server/net/certificates.h"

#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "server/net/openssl_owner.h"

namespace retrylab::net {
namespace {

constexpr long kDay = 24L * 60 * 60;
constexpr const char* kOwnNames = "IP:127.0.0.1,IP:::1,DNS:localhost";

using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

struct Pair {
  Key key;
  Certificate certificate;
  explicit operator bool() const { return key && certificate; }
};

struct Wanted {
  const char* name;
  const char* hosts = nullptr;  // null: an authority
  long from = -kDay;            // seconds from now
  long until = kDay;
};

std::string text_of(const Bio& bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

Identity pem_of(const Pair& pair) {
  const Bio certificate(BIO_new(BIO_s_mem()));
  const Bio key(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate.get(), pair.certificate.get());
  PEM_write_bio_PrivateKey(key.get(), pair.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(certificate), text_of(key)};
}

bool add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// A given authority may have no identifier to be named by.
bool name_authority(X509* certificate, X509* issuer) {
  return X509_get0_subject_key_id(issuer) == nullptr ||
         add_extension(certificate, issuer, NID_authority_key_identifier, "keyid");
}

bool add_extensions(X509* certificate, X509* issuer, const char* hosts) {
  if (!add_extension(certificate, issuer, NID_subject_key_identifier, "hash")) return false;
  if (hosts == nullptr) {
    return add_extension(certificate, issuer, NID_basic_constraints, "critical,CA:TRUE") &&
           add_extension(certificate, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
  }
  return add_extension(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
         name_authority(certificate, issuer) &&
         add_extension(certificate, issuer, NID_key_usage, "critical,digitalSignature") &&
         add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth") &&
         add_extension(certificate, issuer, NID_subject_alt_name, hosts);
}

void set_name(X509* certificate, const char* name) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(name);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, bytes, -1, -1,
                             0);
}

// Signed by `issuer`, or by itself when that is null.
Pair make(const Wanted& wanted, const Pair* issuer) {
  Pair pair{Key(EVP_EC_gen("P-256")), Certificate(X509_new())};
  if (!pair) return {};
  X509* certificate = pair.certificate.get();
  X509* by = issuer != nullptr ? issuer->certificate.get() : certificate;
  std::uint32_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial | 1U);
  X509_gmtime_adj(X509_getm_notBefore(certificate), wanted.from);
  X509_gmtime_adj(X509_getm_notAfter(certificate), wanted.until);
  set_name(certificate, wanted.name);
  X509_set_issuer_name(certificate, X509_get_subject_name(by));
  X509_set_pubkey(certificate, pair.key.get());
  EVP_PKEY* signs = issuer != nullptr ? issuer->key.get() : pair.key.get();
  const bool made = add_extensions(certificate, by, wanted.hosts) &&
                    X509_sign(certificate, signs, EVP_sha256()) > 0;
  return made ? std::move(pair) : Pair{};
}

Result<Identities> signed_by(const Pair& authority) {
  const Pair stranger = make({.name = "an authority nobody knows"}, nullptr);
  if (!authority || !stranger) return fail(ErrorCode::machine, "certificates", "cannot be made");
  const Pair right = make({.name = "retrylab", .hosts = kOwnNames}, &authority);
  const Pair untrusted = make({.name = "retrylab", .hosts = kOwnNames}, &stranger);
  const Pair expired =
      make({.name = "retrylab", .hosts = kOwnNames, .from = -3 * kDay, .until = -kDay}, &authority);
  const Pair wrong = make({.name = "retrylab", .hosts = "DNS:elsewhere.invalid"}, &authority);
  if (!right || !untrusted || !expired || !wrong) {
    return fail(ErrorCode::machine, "certificates", "cannot be signed");
  }
  return Identities{.authority = pem_of(authority).certificate,
                    .right = pem_of(right),
                    .untrusted = pem_of(untrusted),
                    .expired = pem_of(expired),
                    .wrong_host = pem_of(wrong)};
}

Bio reading(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// A key behind a password is not asked for: this program reads no terminal.
int no_password(char*, int, int, void*) {
  return 0;
}

Result<Pair> authority_in(std::string_view pem) {
  const auto mistake = [](const char* what) {
    ERR_clear_error();
    return fail(ErrorCode::invalid_argument, "", what);
  };
  Pair pair{Key(PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, no_password, nullptr)),
            Certificate(PEM_read_bio_X509(reading(pem).get(), nullptr, no_password, nullptr))};
  if (!pair.certificate) return mistake("holds no certificate in PEM form");
  if (!pair.key) return mistake("holds no private key in PEM form that can be read unasked");
  if (X509_check_private_key(pair.certificate.get(), pair.key.get()) != 1) {
    return mistake("holds a private key that is not the certificate's");
  }
  if (X509_check_ca(pair.certificate.get()) != 1) {
    return mistake("holds a certificate that is no authority's (basicConstraints CA:TRUE)");
  }
  return pair;
}

}  // namespace

Result<Identities> make_identities() {
  return signed_by(make({.name = "retrylab test authority"}, nullptr));
}

Result<Identities> make_identities(std::string_view pem) {
  auto authority = authority_in(pem);
  if (!authority) return tl::unexpected(authority.error());
  return signed_by(*authority);
}

}  // namespace retrylab::net
