/**
 * Keys that hold a secret in every integration. The whole key must match, because `tokenAmount` and `secretary_email` contain the
 * same words and must stay readable. Case, hyphens and underscores are ignored.
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

/** Longest name plus separators. Longer keys are not copied. */
const MAX_CHARACTERS = 60;

/** Returns whether this key holds a secret in every integration. */
export function isSensitiveKey(key: string): boolean {
  return key.length <= MAX_CHARACTERS && NAMES.has(key.replace(/[-_ ]/g, '').toLowerCase());
}
