import {
  authorizationHeader,
  type Credential,
  type Http,
  type JsonValue,
  member,
  piece,
  ProviderError,
  scalarAt,
  type StatedFailure,
  textAt,
} from '@drawbridge/piece-kit';
import { addInternalNote } from './actions/add-internal-note.js';
import { addTags } from './actions/add-tags.js';
import { createTicket } from './actions/create-ticket.js';
import { createUser } from './actions/create-user.js';
import { findUser } from './actions/find-user.js';
import { getTicket } from './actions/get-ticket.js';
import { listComments } from './actions/list-comments.js';
import { reply } from './actions/reply.js';
import { search } from './actions/search.js';
import { updateTicket } from './actions/update-ticket.js';
import { uploadAttachment } from './actions/upload-attachment.js';
import { commentAdded } from './triggers/comment-added.js';
import { ticketCreated } from './triggers/ticket-created.js';
import { ticketUpdated } from './triggers/ticket-updated.js';

const subdomain = {
  displayName: 'Subdomain',
  description: 'The first part of the address of the account: "acme" of acme.zendesk.com.',
};

export const zendesk = piece({
  name: 'zendesk',
  displayName: 'Zendesk',
  description: 'Creates, answers and searches tickets, and manages users.',
  categories: ['CUSTOMER_SUPPORT'],
  origin: 'https://{subdomain}.zendesk.com',
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH'],
    required: true,
    description: 'An API token has all permissions of the agent with the given email address.',
    account: { subdomain },
    props: {
      subdomain: { ...subdomain, required: true, secret: false },
      email: { displayName: 'Email', description: 'The email address of an agent.', required: true, secret: false },
      apiToken: {
        displayName: 'API token',
        description: 'From Admin Center, Apps and integrations, Zendesk API.',
        required: true,
        secret: true,
      },
    },
    test,
    // The OAuth flow of the provider is documented at https://developer.zendesk.com/documentation/api-basics/authentication/oauth-vs-api-tokens/
    oauth2: {
      authUrl: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
      tokenUrl: 'https://{subdomain}.zendesk.com/oauth/tokens',
      scopes: ['read', 'write'],
      pkce: true,
      tokenBody: 'json',
      refresh: 'rotating',
    },
  },
  http: {
    authorize,
    failedWhen,
    // Error responses have one of these formats: https://developer.zendesk.com/api-reference/introduction/requests/#response-format
    failure: {
      message: ['description', 'error.message'],
      code: ['error.title', 'error'],
    },
  },
  actions: {
    create_ticket: createTicket,
    update_ticket: updateTicket,
    reply,
    add_internal_note: addInternalNote,
    get_ticket: getTicket,
    search,
    list_comments: listComments,
    create_user: createUser,
    find_user: findUser,
    add_tags: addTags,
    upload_attachment: uploadAttachment,
  },
  triggers: { ticket_created: ticketCreated, ticket_updated: ticketUpdated, comment_added: commentAdded },
});

/** The user name is the email address with "/token": https://developer.zendesk.com/api-reference/introduction/security-and-auth/#api-token */
function authorize(credential: Credential): Record<string, string> {
  if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);
  const { props } = credential;
  const user = `${textAt(props, 'email') ?? ''}/token`;
  return authorizationHeader({ type: 'BASIC_AUTH', username: user, password: textAt(props, 'apiToken') ?? '' });
}

/** For an unknown credential Zendesk returns the "Anonymous user" without an id, with status 200. */
async function test(http: Http): Promise<void> {
  const id = scalarAt(await http.json({ method: 'GET', path: '/api/v2/users/me' }), 'user', 'id');
  if (id === undefined) throw new ProviderError('Zendesk does not accept the credential', { status: 401 });
}

/** The reasons for an invalid record are lists by field: {"details": {"value": [{"description": "cannot be blank"}]}}. */
function failedWhen(body: JsonValue): StatedFailure | undefined {
  if (textAt(body, 'error') !== 'RecordInvalid') return undefined;
  const [[field, reasons] = []] = Object.entries(member(body, 'details') ?? {});
  const reason = textAt(reasons, 0, 'description');
  return { message: reason && field !== 'base' ? `${field}: ${reason}` : reason };
}
