/** The texts of the page on which a user authorizes a program. */
export const authorizeEn = {
  title: (client: string) => `Authorize ${client}?`,
  lead: (client: string, server: string) => `${client} wants to use “${server}” on your behalf.`,
  unnamed: 'An application without a name',
  unchecked: 'The name of this application is not verified. Continue only if you started this yourself.',
  program: 'Application',
  goesTo: 'You will be redirected to',
  onThisDevice: (place: string) => `an application on this device (${place})`,
  may: 'It can',
  scopes: { 'mcp:tools': 'use the tools of this server', 'mcp:code': 'run code that uses the tools' } as Record<
    string,
    string
  >,
  tools: 'Tools it can use',
  noTools: 'No tools are available at the moment.',
  counts: (tools: number, integrations: number) =>
    `${tools === 1 ? '1 tool' : `${tools.toLocaleString('en')} tools`} of ${integrations === 1 ? '1 integration' : `${integrations} integrations`}.`,
  /** The effects of tools, by the category of their action. */
  effects: {
    payment: 'pays',
    delete: 'deletes',
    send: 'sends',
    admin: 'administers',
    code: 'runs code',
    write: 'writes',
    read: 'only reads',
  } as Record<string, string>,
  account: (name: string) => `With the account ${name}`,
  noAccount: 'Without an account',
  ownAccount: 'With your own account, which you connect on first use',
  missingAccount: 'No account is connected',
  mayChange: 'The organization can change this list later.',
  you: 'You are',
  newPerson: (email: string) => `${email}, for the first time`,
  allow: 'Allow',
  deny: 'Deny',
  until: 'Access ends when you or the operator revoke it, or after 30 days without use.',
  who: 'Who are you?',
  whoElse: 'Not you?',
  signIn: 'Sign in',
  otherAccount: 'Use another account',
  or: 'or',
  email: 'Email',
  sendCode: 'Email me a code',
  noMail: 'You cannot allow this without an account, because this server does not send email.',
  codeTitle: 'Enter the code',
  codeLead:
    'If this email address is known here, we sent a code to it. The code works for 10 minutes, in this browser.',
  code: 'Code',
  check: 'Continue',
  wrong: 'The code is wrong or has expired. After five attempts, request a new one.',
  another: 'Request a new code',
  back: 'Back to the application',
  changed: 'The requested access has changed. Review it again.',
  refusals: {
    unknown: 'Your email address is not known here. Ask the operator to add you.',
    ambiguous: 'Several end users have your email address, so we cannot tell who you are. Ask the operator.',
    another: 'This access is limited to another person.',
  } as Record<string, string>,
  bad: {
    client: {
      title: 'Unknown application',
      text: 'The application is not registered, its metadata cannot be read, or its registration has expired. Start again in the application.',
    },
    redirect: {
      title: 'The redirect address is not registered',
      text: 'The application asks to send you to an address that it has not registered. Nothing was allowed.',
    },
    asked: {
      title: 'This access is not available',
      text: 'The application requests access that does not exist or cannot be granted. Nothing was allowed. Go back only if you know where the link leads.',
    },
    request: {
      title: 'The request cannot be read',
      text: 'The request is too long or repeats a parameter. Nothing was allowed.',
    },
  },
};
