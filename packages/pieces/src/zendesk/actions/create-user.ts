import { action, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { toUser } from '../ticket.js';

/**
 * Creates a user, or updates the user that has the email address:
 * https://developer.zendesk.com/api-reference/ticketing/users/users/#create-or-update-user
 */
export const createUser = action({
  displayName: 'Create or update user',
  description: 'Creates a user, or updates the user with the email address, and returns the user.',
  category: 'admin',
  idempotent: true,
  props: {
    name: shortText('Name', { required: true, description: 'The full name.', minLength: 1, maxLength: 255 }),
    email: shortText('Email', {
      required: true,
      description: 'The email address, which identifies the user.',
      pattern: '^[^\\s@]+@[^\\s@]+$',
      maxLength: 254,
    }),
    phone: shortText('Phone', { description: 'Such as +15551234567.', maxLength: 25 }),
    role: staticDropdown('Role', ['end-user', 'agent', 'admin'], { description: 'Defaults to end-user.' }),
  },
  run: async ({ http, input: user }) => {
    const response = await http.json({ method: 'POST', path: '/api/v2/users/create_or_update', json: { user } });
    return toUser(member(response, 'user') ?? null);
  },
});
