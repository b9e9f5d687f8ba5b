import { authorizationHeader, piece, urlPaging } from '@drawbridge/piece-kit';
import { addNote } from './actions/add-note.js';
import { addTask } from './actions/add-task.js';
import { createRecord } from './actions/create-record.js';
import { deleteRecord } from './actions/delete-record.js';
import { describeObject } from './actions/describe-object.js';
import { getRecord } from './actions/get-record.js';
import { query } from './actions/query.js';
import { runReport } from './actions/run-report.js';
import { search } from './actions/search.js';
import { updateRecord } from './actions/update-record.js';
import { uploadFile } from './actions/upload-file.js';
import { upsertRecord } from './actions/upsert-record.js';
import { fieldChanged } from './triggers/field-changed.js';
import { recordCreated } from './triggers/record-created.js';
import { recordUpdated } from './triggers/record-updated.js';
import { DATA } from './version.js';

export const salesforce = piece({
  name: 'salesforce',
  displayName: 'Salesforce',
  description: 'Reads and changes records of any object, runs queries and reports, and adds tasks, notes and files.',
  categories: ['SALES_AND_CRM'],
  origin: '{instanceUrl}',
  auth: {
    types: ['OAUTH2'],
    required: true,
    account: {
      domain: {
        displayName: 'Domain',
        description:
          '"login" for production, "test" for a sandbox, or your own domain such as "acme.my" of acme.my.salesforce.com.',
        pattern:
          'login|test|[a-zA-Z0-9]([a-zA-Z0-9-]{0,78}[a-zA-Z0-9])?(\\.(sandbox|develop|scratch|trailblaze))?\\.my',
      },
    },
    // A response for an expired session is a list: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm
    refusedWhen: [{ status: 401, code: 'INVALID_SESSION_ID' }],
    test: `${DATA}/limits`,
    // The OAuth flow of the provider is documented at https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm
    shares: ['Read and change the records that you can access'],
    oauth2: {
      authUrl: 'https://{domain}.salesforce.com/services/oauth2/authorize',
      tokenUrl: 'https://{domain}.salesforce.com/services/oauth2/token',
      scopes: ['api', 'refresh_token'],
      pkce: true,
      keep: { instanceUrl: 'instance_url' },
      revoke: { url: 'https://{domain}.salesforce.com/services/oauth2/revoke' },
    },
  },
  http: {
    authorize: authorizationHeader,
    paging: urlPaging({ items: 'records', next: 'nextRecordsUrl' }),
    failure: { message: ['0.message'], code: ['0.errorCode'] },
    // A 503 means that there are too many concurrent calls. The excluded limit applies per day, so a later request in the run fails too:
    // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm
    rateLimit: { seconds: 2, except: [{ code: 'REQUEST_LIMIT_EXCEEDED' }] },
  },
  actions: {
    create_record: createRecord,
    update_record: updateRecord,
    upsert_record: upsertRecord,
    get_record: getRecord,
    delete_record: deleteRecord,
    query,
    search,
    add_task: addTask,
    add_note: addNote,
    describe_object: describeObject,
    run_report: runReport,
    upload_file: uploadFile,
  },
  triggers: { record_created: recordCreated, record_updated: recordUpdated, field_changed: fieldChanged },
});
