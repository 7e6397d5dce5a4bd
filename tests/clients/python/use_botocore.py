# SPDX-License-Identifier: MIT
"""botocore with retries in mode "standard": S3 for GET, DynamoDB for POST (which goes to /). It has
tokens of its own for some operations, but no Idempotency-Key."""
import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from contract import BASE, KEY, METHOD, PATH, TIMEOUT, answered, failed, unsupported

config = Config(retries={"mode": "standard", "max_attempts": 4}, read_timeout=TIMEOUT,
                connect_timeout=TIMEOUT, s3={"addressing_style": "path"})
session = botocore.session.get_session()


def client(service, url):
    return session.create_client(service, endpoint_url=url, config=config, region_name="us-east-1",
                                 aws_access_key_id="dummy", aws_secret_access_key="dummy")


if KEY:
    unsupported("no Idempotency-Key in the AWS SDK")
try:
    if METHOD == "GET":
        bucket, _, key = (PATH.strip("/") or "bucket/key").partition("/")
        answer = client("s3", BASE).get_object(Bucket=bucket, Key=key or "key")
        answer["Body"].read()
    else:
        answer = client("dynamodb", BASE + PATH.rstrip("/")).put_item(
            TableName="payments", Item={"amount": {"N": "5"}})
except ClientError as error:
    answered(error.response["ResponseMetadata"].get("HTTPStatusCode", 0))
except BotoCoreError as error:
    failed(error)
answered(answer["ResponseMetadata"]["HTTPStatusCode"])
