import { action, shortText } from '@drawbridge/piece-kit';

/** Creates a list of marketing contacts: https://www.twilio.com/docs/sendgrid/api-reference/lists/create-list */
export const createList = action({
  displayName: 'Create list',
  description: 'Creates a list of marketing contacts. Returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', { required: true, minLength: 1, maxLength: 100 }),
  },
  call: { method: 'POST', path: '/v3/marketing/lists', body: ['name'] },
});
