import { authorizationHeader, piece, urlPaging } from '@drawbridge/piece-kit';
import { addContacts } from './actions/add-contacts.js';
import { addSuppression } from './actions/add-suppression.js';
import { cancelScheduled } from './actions/cancel-scheduled.js';
import { createList } from './actions/create-list.js';
import { getImport } from './actions/get-import.js';
import { getStats } from './actions/get-stats.js';
import { removeSuppression } from './actions/remove-suppression.js';
import { scheduleEmail } from './actions/schedule-email.js';
import { searchContacts } from './actions/search-contacts.js';
import { sendEmail } from './actions/send-email.js';
import { sendTemplate } from './actions/send-template.js';
import { validateEmail } from './actions/validate-email.js';
import { failedWhen, REFUSED_KEY } from './failed-when.js';
import { contactAdded } from './triggers/contact-added.js';
import { emailEvent } from './triggers/email-event.js';

export const sendgrid = piece({
  name: 'sendgrid',
  displayName: 'SendGrid',
  description: 'Sends and schedules email, and manages marketing contacts and suppressions.',
  categories: ['COMMUNICATION', 'MARKETING'],
  origin: 'https://api.sendgrid.com',
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description: 'An API key (SG.…) from Settings, "API Keys". It needs access to the features that you use.',
    keysUrl: 'https://app.sendgrid.com/settings/api_keys',
    test: '/v3/scopes',
    refusedWhen: [{ status: 401, code: REFUSED_KEY }],
  },
  http: {
    authorize: authorizationHeader,
    paging: urlPaging({ items: 'result', next: '_metadata.next' }),
    failedWhen,
    // A response that means a rate limit states when the limit ends:
    // https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/rate-limits
    rateLimit: { wait: [{ header: 'x-ratelimit-reset', as: 'time' }] },
  },
  // The older Mail Send API sends emails by GET.
  isGetSafe: false,
  actions: {
    send_email: sendEmail,
    send_template: sendTemplate,
    schedule_email: scheduleEmail,
    cancel_scheduled: cancelScheduled,
    add_contacts: addContacts,
    get_import: getImport,
    search_contacts: searchContacts,
    create_list: createList,
    add_suppression: addSuppression,
    remove_suppression: removeSuppression,
    get_stats: getStats,
    validate_email: validateEmail,
  },
  triggers: { email_event: emailEvent, contact_added: contactAdded },
});
