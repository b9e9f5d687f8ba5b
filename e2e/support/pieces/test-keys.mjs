/** A piece with an API that accepts and tests keys and passwords. */
export const testKeys = ({ piece, action, authorizationHeader }) =>
  piece({
    name: 'test-keys',
    displayName: 'Test Keys',
    description: 'Takes keys.',
    categories: ['CORE'],
    origin: 'https://keys.example',
    auth: {
      types: ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'],
      required: true,
      test: '/me',
      description: 'The key stands in your settings.',
      props: {
        apiKey: { displayName: 'API key', required: true, secret: true },
        certificate: { displayName: 'Certificate', required: false, secret: true, multiline: true },
        region: { displayName: 'Region', description: 'Such as eu.', required: false, secret: false },
      },
    },
    http: {
      authorize: (credential) =>
        credential.type === 'CUSTOM_AUTH'
          ? {
              'x-api-key': credential.props.apiKey,
              'x-certificate': encodeURIComponent(credential.props.certificate ?? '').slice(-100),
            }
          : authorizationHeader(credential),
    },
    actions: {
      whoami: action({
        displayName: 'Who am I',
        description: 'Says it.',
        category: 'read',
        props: {},
        call: { method: 'GET', path: '/me' },
      }),
    },
  });
