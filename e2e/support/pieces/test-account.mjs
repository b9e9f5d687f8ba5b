/** A piece with URLs that contain a subdomain, the origin of the token response and an id of the account. */
export const testAccount = ({ piece, action, authorizationHeader }) =>
  piece({
    name: 'test-account',
    displayName: 'Test Account',
    description: 'Has an address per account.',
    categories: ['CORE'],
    origin: {
      OAUTH2: '{instanceUrl}',
      CUSTOM_AUTH: 'https://{subdomain}.acct.example',
      SECRET_TEXT: 'https://id.acct.example/{secretText}',
    },
    origins: ['https://id.acct.example'],
    auth: {
      types: ['OAUTH2', 'CUSTOM_AUTH', 'BASIC_AUTH', 'SECRET_TEXT'],
      required: true,
      account: { subdomain: { displayName: 'Subdomain', description: 'The first part of <your> address.' } },
      props: {
        subdomain: { displayName: 'Subdomain', required: true, secret: false },
        email: { displayName: 'Email', required: false, secret: false },
        apiKey: { displayName: 'API key', required: true, secret: true },
      },
      oauth2: {
        authUrl: 'https://{subdomain}.acct.example/authorize',
        tokenUrl: 'https://{subdomain}.acct.example/token',
        scopes: ['read'],
        keep: { instanceUrl: 'instance_url', subdomain: 'subdomain', plan: 'plan' },
        revoke: { url: 'https://{subdomain}.acct.example/revoke/{client_id}' },
      },
      afterConnect: async (http, credential) => {
        let me;
        do me = await http.json({ method: 'GET', path: 'https://id.acct.example/me' });
        while (me.again);
        if (me.defect) throw new TypeError('a defect');
        return { data: me.data, label: me.label };
      },
    },
    http: {
      authorize: (credential) =>
        credential.type === 'CUSTOM_AUTH' ? { 'x-api-key': credential.props.apiKey } : authorizationHeader(credential),
    },
    actions: {
      whoami: action({
        displayName: 'Who am I',
        description: 'Says it.',
        category: 'read',
        props: {},
        call: { method: 'GET', path: '/whoami' },
      }),
    },
  });
