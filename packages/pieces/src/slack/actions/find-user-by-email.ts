import { action, shortText } from '@drawbridge/piece-kit';

/** Finds a user by email address: https://docs.slack.dev/reference/methods/users.lookupByEmail */
export const findUserByEmail = action({
  displayName: 'Find user by email',
  description: 'Finds a user by email address. Fails with users_not_found without a match.',
  category: 'read',
  props: { email: shortText('Email', { required: true, pattern: '^[^\\s@]+@\\S+$', maxLength: 320 }) },
  call: { method: 'GET', path: '/api/users.lookupByEmail', query: ['email'] },
});
