import { authorizationHeader, type Http, piece, scalarAt, textAt, tokenPaging } from '@drawbridge/piece-kit';
import { addToList } from './actions/add-to-list.js';
import { associate } from './actions/associate.js';
import { createCompany } from './actions/create-company.js';
import { createContact } from './actions/create-contact.js';
import { createDeal } from './actions/create-deal.js';
import { createNote } from './actions/create-note.js';
import { createTask } from './actions/create-task.js';
import { getRecord } from './actions/get-record.js';
import { search } from './actions/search.js';
import { updateContact } from './actions/update-contact.js';
import { updateDeal } from './actions/update-deal.js';
import { upsertContact } from './actions/upsert-contact.js';
import { ACCOUNT } from './account.js';
import { contactCreated } from './triggers/contact-created.js';
import { dealStageChanged } from './triggers/deal-stage-changed.js';
import { formSubmitted } from './triggers/form-submitted.js';
import { recordUpdated } from './triggers/record-updated.js';

export const hubspot = piece({
  name: 'hubspot',
  displayName: 'HubSpot',
  description: 'Manages contacts, companies, deals, notes and tasks, and searches records of any object.',
  categories: ['SALES_AND_CRM', 'MARKETING'],
  origin: 'https://api.hubapi.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description:
      'Create an access token (pat-…) of a private app in the settings of HubSpot, with the scopes of its objects.',
    test: ACCOUNT,
    afterConnect,
    // The OAuth flow of the provider is documented at https://developers.hubspot.com/docs/api-reference/auth-oauth-v1/guide
    shares: ['Read and change contacts, companies, deals and tickets', 'See the owners of records'],
    oauth2: {
      authUrl: 'https://app.hubspot.com/oauth/authorize',
      tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
      scopes: [
        'oauth',
        ...['crm.objects.contacts.read', 'crm.objects.contacts.write', 'crm.objects.companies.read'],
        ...['crm.objects.companies.write', 'crm.objects.deals.read', 'crm.objects.deals.write'],
        'crm.objects.owners.read',
      ],
      // An account with a plan that lacks one of these scopes can be connected without it.
      authParams: { optional_scope: 'crm.lists.read crm.lists.write forms tickets' },
    },
  },
  http: {
    authorize: authorizationHeader,
    paging: tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after' }),
    // Error responses have this format: https://developers.hubspot.com/docs/api-reference/error-handling
    failure: { message: ['message'], code: ['policyName', 'category', 'errorType'] },
    // Responses of a search have no headers with the limit, so the wait is one second:
    // https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
    rateLimit: {
      wait: [{ header: 'x-hubspot-ratelimit-interval-milliseconds', as: 'milliseconds' }],
      seconds: 1,
      except: [{ code: 'DAILY' }],
    },
  },
  actions: {
    create_contact: createContact,
    update_contact: updateContact,
    upsert_contact: upsertContact,
    search,
    get_record: getRecord,
    create_company: createCompany,
    create_deal: createDeal,
    update_deal: updateDeal,
    associate,
    create_note: createNote,
    create_task: createTask,
    add_to_list: addToList,
  },
  triggers: {
    contact_created: contactCreated,
    deal_stage_changed: dealStageChanged,
    record_updated: recordUpdated,
    form_submitted: formSubmitted,
  },
});

async function afterConnect(http: Http) {
  const account = await http.json({ method: 'GET', path: ACCOUNT });
  const portalId = scalarAt(account, 'portalId');
  const label = [textAt(account, 'uiDomain'), portalId].filter(Boolean).join(' ');
  return { ...(portalId && { data: { portalId } }), ...(label && { label }) };
}
