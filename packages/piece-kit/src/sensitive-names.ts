/**
 * Keys under which every integration keeps a secret. A key matches as a whole, because `tokenAmount` and `secretary_email` contain the
 * same words and must be readable; its case, hyphens and underscores do not count.
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

/** Room for the separators of the longest name: a longer key is not copied. */
const MAX_CHARACTERS = 60;

/** Whether every integration keeps a secret under this key. */
export function isSensitiveKey(key: string): boolean {
  return key.length <= MAX_CHARACTERS && NAMES.has(key.replace(/[-_ ]/g, '').toLowerCase());
}
