import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { addComment } from './actions/add-comment.js';
import { createRecord } from './actions/create-record.js';
import { createRecords } from './actions/create-records.js';
import { deleteRecord } from './actions/delete-record.js';
import { getRecord } from './actions/get-record.js';
import { getSchema } from './actions/get-schema.js';
import { listBases } from './actions/list-bases.js';
import { listRecords } from './actions/list-records.js';
import { updateRecord } from './actions/update-record.js';
import { uploadAttachment } from './actions/upload-attachment.js';
import { upsertRecords } from './actions/upsert-records.js';
import { CONTENT_ORIGIN } from './origins.js';
import { recordPaging } from './records.js';
import { recordChanged } from './triggers/record-changed.js';
import { recordCreated } from './triggers/record-created.js';

export const airtable = piece({
  name: 'airtable',
  displayName: 'Airtable',
  description: 'Reads and writes records of bases, their comments and attachments.',
  categories: ['PRODUCTIVITY', 'CONTENT_AND_FILES'],
  origin: 'https://api.airtable.com',
  origins: [CONTENT_ORIGIN],
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description:
      'A personal access token (pat…) needs the scopes data.records:read, data.records:write, data.recordComments:write and schema.bases:read, and access to the bases.',
    test: '/v0/meta/whoami',
    // The OAuth flow of the provider is documented at https://airtable.com/developers/web/api/oauth-reference
    shares: ['Read and change records and their comments', 'See the structure of bases'],
    keysUrl: 'https://airtable.com/create/tokens',
    oauth2: {
      authUrl: 'https://airtable.com/oauth2/v1/authorize',
      tokenUrl: 'https://airtable.com/oauth2/v1/token',
      scopes: ['data.records:read', 'data.records:write', 'data.recordComments:write', 'schema.bases:read'],
      pkce: true,
      clientAuth: 'basic',
      refresh: 'rotating',
    },
  },
  http: {
    authorize: authorizationHeader,
    paging: recordPaging,
    // A 429 does not state how long to wait: https://airtable.com/developers/web/api/rate-limits
    rateLimit: { seconds: 30 },
  },
  actions: {
    create_record: createRecord,
    create_records: createRecords,
    update_record: updateRecord,
    upsert_records: upsertRecords,
    get_record: getRecord,
    list_records: listRecords,
    delete_record: deleteRecord,
    list_bases: listBases,
    get_schema: getSchema,
    add_comment: addComment,
    upload_attachment: uploadAttachment,
  },
  triggers: { record_created: recordCreated, record_changed: recordChanged },
});
