/** The texts of the connect pages. */
export const connectEn = {
  title: (integration: string) => `Connect ${integration}`,
  lead: (organization: string, connection: string) => `${organization} will use this account as “${connection}”.`,
  continueWith: (integration: string) => `Continue to ${integration}`,
  leading: (integration: string) => `Redirecting to ${integration}`,
  submit: 'Connect',
  cancel: 'Cancel',
  shares: (organization: string) => `${organization} will be able to`,
  keysAt: (integration: string) => `Find your API key at ${integration} (opens a new tab)`,
  reveal: 'Show what I type',
  by: (type: string) =>
    type === 'OAUTH2'
      ? 'Sign in instead'
      : type === 'SECRET_TEXT'
        ? 'Use an API key or token'
        : type === 'BASIC_AUTH'
          ? 'Use a user name and password'
          : 'Enter the connection details',
  secretText: 'API key or token',
  username: 'User name',
  password: 'Password',
  problem: (code: string, words?: string) => {
    const said = words ? ` The response was: ${words}` : '';
    return code === 'refused'
      ? `The credentials were not accepted. Check them and try again.${said}`
      : `The provider could not be reached to check the credentials. Try again in a minute.${said}`;
  },
  noWay: 'This connection is not available at the moment. Contact the company that sent you here.',
  done: (integration: string) => `${integration} is connected`,
  connectedAs: (account: string) => `Connected as ${account}`,
  failed: (integration: string) => `${integration} is not connected`,
  denied: 'Access was not granted.',
  refused: 'The provider refused the connection.',
  close: 'You can close this window.',
  askAgain: 'You can close this window. To try again, request a new link from the app that sent you here.',
  goingOn: 'Redirecting you back.',
  goOn: 'Go back now',
  busy: {
    title: 'Connecting',
    text: 'This takes a moment. The connection was started in this browser or in another window.',
  },
  look: 'Check again',
  over: {
    title: 'This link does not work',
    text: 'It has expired, or was opened in another browser. Return to the app that sent you here and start again.',
  },
  elsewhere: {
    title: 'This connection was started in another browser',
    text: 'The response belongs to another browser. Nothing was connected.',
  },
  late: {
    title: 'The connection took too long',
    text: 'You have 30 minutes to finish at the provider. Nothing was connected.',
  },
  long: {
    title: 'The provider’s response was too large',
    text: 'The response is longer than the accepted maximum. Nothing was connected. Contact the company that sent you here.',
  },
  replaced: {
    title: 'A newer attempt has replaced this one',
    text: 'The response belongs to an earlier attempt and was not used. Nothing was connected.',
  },
  away: {
    title: 'The provider did not respond',
    text: 'You granted access, but the provider could not be reached to finish. Nothing was connected. Try again in a minute.',
  },
  unusable: {
    title: 'This account cannot be used',
    text: 'You granted access, but the provider did not return what is needed to use this account. Nothing was connected. Try again, or use another account.',
  },
  beginAgain: 'Start again',
};
