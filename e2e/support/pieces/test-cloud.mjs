/** A piece with a URL that contains a value that only `afterConnect` reads. */
export const testCloud = ({ piece, authorizationHeader }) =>
  piece({
    name: 'test-cloud',
    displayName: 'Test Cloud',
    description: 'Has an id per account.',
    categories: ['CORE'],
    origin: 'https://id.acct.example/ex/{cloudId}',
    auth: {
      types: ['OAUTH2'],
      required: true,
      oauth2: {
        authUrl: 'https://acme.acct.example/authorize',
        tokenUrl: 'https://acme.acct.example/token',
        scopes: [],
      },
    },
    http: { authorize: authorizationHeader },
    actions: {},
  });
