import { type Action } from './action.js';

const QUERY_VALUE = /([?&;])([^?&;=#\s"\\]+)=([^&;#\s"\\]*)/g;
const PASSWORD = /(:\/\/[^\s/?#:@"\\]*):[^\s/?#@"\\]*@/g;

/** The text that replaces hidden values. */
export const REDACTED = '[redacted]';

/** Returns a function that tests whether a key of an action's input contains a secret. */
export function isSecretOf({ props }: Pick<Action, 'props'>): (key: string) => boolean {
  return (key) => Object.hasOwn(props, key) && props[key]?.type === 'SECRET_TEXT';
}

/** Hides the values of sensitive keys and of secret properties. */
export function hideSensitive(value: unknown, isSecret: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => hideSensitive(item, isNever));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isSecret(key) || isSensitiveKey(key) ? REDACTED : hideSensitive(inner, isNever),
  ]);
  return Object.fromEntries(entries);
}

const isNever = (): boolean => false;

/** Hides secrets in URLs within any string, including JSON: `https://user:password@host/?token=…`. */
export function hideInUrls(text: string): string {
  if (!text.includes('=') && !text.includes('@')) return text;
  const hidden = text.replace(QUERY_VALUE, (whole, mark: string, name: string) =>
    isSensitiveKey(name) ? `${mark}${name}=${REDACTED}` : whole,
  );
  return hidden.replace(PASSWORD, `$1:${REDACTED}@`);
}

/**
 * Keys that contain a secret in every integration. The whole key must match, because `tokenAmount` and `secretary_email` contain the same words and
 * must remain readable. Case, hyphens and underscores are ignored.
 */
const NAMES = new Set(
  `
  authorization proxyauthorization xauthorization jwt cookie cookies setcookie sessioncookie csrftoken xcsrftoken xsrftoken
  password passwords passwd passphrase passcode pwd userpassword dbpassword currentpassword oldpassword newpassword confirmpassword
  passwordconfirmation adminpassword
  secret secrets clientsecret appsecret apisecret consumersecret sharedsecret totpsecret secretkey secretaccesskey awssecretaccesskey
  signingsecret webhooksecret secrettext secretvalue
  token accesstoken refreshtoken idtoken authtoken apitoken bearertoken sessiontoken bottoken usertoken apptoken oauthtoken tokensecret
  oauthtokensecret accesstokensecret xauthtoken xapitoken xaccesstoken privatetoken jobtoken personalaccesstoken githubtoken
  verificationtoken securitytoken xamzsecuritytoken xvaulttoken
  xamzsignature xamzcredential xgoogsignature xgoogcredential
  apikey apikeys xapikey xapikeys appkey accesskey subscriptionkey ocpapimsubscriptionkey xgoogapikey masterkey servicekey authkey
  privatekey privatekeypem sshkey sshprivatekey signingkey encryptionkey credential credentials clientassertion
  `
    .trim()
    .split(/\s+/),
);

/** The length of the longest name plus separators. Longer keys are not normalized. */
const MAX_CHARACTERS = 60;

/** Returns whether this key contains a secret in every integration. */
export function isSensitiveKey(key: string): boolean {
  return key.length <= MAX_CHARACTERS && NAMES.has(key.replace(/[-_ ]/g, '').toLowerCase());
}
