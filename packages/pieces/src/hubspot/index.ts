import { authorizationHeader, piece, scalarAt } from '@drawbridge/piece-kit';
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
import { ACCOUNT } from './records.js';
import { contactCreated } from './triggers/contact-created.js';
import { dealStageChanged } from './triggers/deal-stage-changed.js';
import { formSubmitted } from './triggers/form-submitted.js';
import { recordUpdated } from './triggers/record-updated.js';

export const hubspot = piece({
  name: 'hubspot',
  displayName: 'HubSpot',
  description: 'Creates, changes and finds contacts, companies and deals, and adds notes and tasks to them.',
  categories: ['SALES_AND_CRM', 'MARKETING'],
  origin: 'https://api.hubapi.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'The access token of a private app, from Settings, Integrations, Private Apps.',
    test: ACCOUNT,
    afterConnect: async (http) => {
      const portal = scalarAt(await http.json({ method: 'GET', path: ACCOUNT }), 'portalId');
      return { label: portal && `Account ${portal}` };
    },
    // https://developers.hubspot.com/docs/guides/apps/authentication/working-with-oauth
    oauth2: {
      authUrl: 'https://app.hubspot.com/oauth/authorize',
      tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
      scopes: [
        'oauth',
        'crm.objects.contacts.read',
        'crm.objects.contacts.write',
        'crm.objects.companies.read',
        'crm.objects.companies.write',
        'crm.objects.deals.read',
        'crm.objects.deals.write',
      ],
      // HubSpot refuses a scope that the account does not have, unless it is optional.
      authParams: { optional_scope: 'crm.lists.write forms' },
    },
  },
  http: {
    authorize: authorizationHeader,
    // https://developers.hubspot.com/docs/reference/api/other-resources/error-handling
    failure: { message: ['message'], code: ['category'] },
    // https://developers.hubspot.com/docs/guides/apps/api-usage/usage-details: limits are for ten seconds, or a second for searches.
    rateLimit: { seconds: 10 },
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
