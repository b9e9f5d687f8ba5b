import { action, shortText } from '@drawbridge/piece-kit';

/** https://docs.slack.dev/reference/methods/users.lookupByEmail */
export const findUserByEmail = action({
  displayName: 'Find user by email',
  description: 'Finds the person with an email address, and fails with users_not_found where there is nobody.',
  category: 'read',
  props: { email: shortText('Email', { required: true, pattern: '^[^\\s@]+@\\S+$', maxLength: 320 }) },
  call: { method: 'GET', path: '/api/users.lookupByEmail', query: ['email'] },
});
