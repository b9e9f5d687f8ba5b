import { action, shortText } from '@drawbridge/piece-kit';

/** Returns the status of an import of contacts: https://www.twilio.com/docs/sendgrid/api-reference/contacts/import-contacts-status */
export const getImport = action({
  displayName: 'Get import',
  description:
    'Returns the status of an import of contacts (pending, completed, errored or failed) and how many it created and updated.',
  category: 'read',
  props: {
    job_id: shortText('Job', {
      required: true,
      description: 'The "job_id" that "Add contacts" returned.',
      maxLength: 100,
    }),
  },
  call: { method: 'GET', path: '/v3/marketing/contacts/imports/{job_id}' },
});
