import { baseUrl, text, type Variables } from '@drawbridge/rpc';

/** The standard variables: https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html. */
export const KMS_VARIABLES = {
  AWS_REGION: {
    ...text({ default: '', desc: 'Region of the KMS that opens entries `id:kms:blob` of MASTER_KEYS.' }),
    check: matching(/^[a-z]{2,}(-[a-z]+)+-\d{1,2}$/, 'must be a region such as eu-central-1'),
  },
  AWS_ACCESS_KEY_ID: {
    ...text({ default: '', desc: 'Who asks that KMS; may `kms:Decrypt`.' }),
    check: matching(/^\w{16,128}$/, 'must be 16 to 128 letters and digits'),
  },
  AWS_SECRET_ACCESS_KEY: {
    ...text({ default: '', desc: 'Signs what that KMS is asked.' }),
    isSecret: true,
    check: matching(/^[\w+/=]{16,128}$/, 'must be 16 to 128 characters of base64'),
  },
  AWS_SESSION_TOKEN: {
    ...text({ default: '', desc: 'Belongs to a temporary access key.' }),
    isSecret: true,
    check: matching(/^[\w+/=-]{16,8192}$/, 'must be at least 16 characters of base64'),
  },
  AWS_ENDPOINT_URL_KMS: baseUrl({ default: '', desc: "Where that KMS is. Default: the region's own." }),
} satisfies Variables;

function matching(form: RegExp, problem: string): (value: string) => void {
  return (value) => {
    if (!form.test(value)) throw new Error(problem);
  };
}
