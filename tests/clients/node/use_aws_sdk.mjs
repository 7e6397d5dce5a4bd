// SPDX-License-Identifier: MIT
// The AWS SDK's S3 client in its default retry mode; only GET and PUT, S3 has no plain POST.
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { answered, base, failed, method, path, timeout, unsupported } from './contract.mjs';

const client = new S3Client({
  endpoint: base, region: 'us-east-1', forcePathStyle: true, maxAttempts: 4,
  credentials: { accessKeyId: 'dummy', secretAccessKey: 'dummy' },
  // Without the last, its requestTimeout only warns.
  requestHandler: { requestTimeout: timeout, connectionTimeout: timeout, throwOnRequestTimeout: true },
});
const [Bucket, Key = 'key'] = (path.slice(1) || 'bucket/key').split(/\/(.*)/);
if (!['GET', 'PUT'].includes(method)) {
  unsupported('S3 has no plain POST');
} else {
  try {
    const answer = await client.send(method === 'GET' ? new GetObjectCommand({ Bucket, Key })
      : new PutObjectCommand({ Bucket, Key, Body: '5' }));
    if (method === 'GET') await answer.Body.transformToByteArray();
    answered(answer.$metadata.httpStatusCode);
  } catch (error) {
    if (error.$metadata?.httpStatusCode) answered(error.$metadata.httpStatusCode);
    else failed(error);
  }
}
