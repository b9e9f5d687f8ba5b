/** A piece with credentials that the connect page cannot request. Connections of this piece can only be created through the API. */
export const testUnasked = ({ piece }) =>
  piece({
    name: 'test-unasked',
    displayName: 'Test Unasked',
    description: 'Takes any props.',
    categories: ['CORE'],
    auth: { types: ['CUSTOM_AUTH', 'PLATFORM_OAUTH2'], required: true },
    actions: {},
  });
