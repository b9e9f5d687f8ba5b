import { authorizationHeader, type Credential, piece, textAt } from '@drawbridge/piece-kit';
import { assign } from './actions/assign.js';
import { close } from './actions/close.js';
import { createContact } from './actions/create-contact.js';
import { createNote } from './actions/create-note.js';
import { createTicket } from './actions/create-ticket.js';
import { getConversation } from './actions/get-conversation.js';
import { reply } from './actions/reply.js';
import { searchArticles } from './actions/search-articles.js';
import { searchContacts } from './actions/search-contacts.js';
import { sendMessage } from './actions/send-message.js';
import { tag } from './actions/tag.js';
import { updateContact } from './actions/update-contact.js';
import { contactCreated } from './triggers/contact-created.js';
import { conversationClosed } from './triggers/conversation-closed.js';
import { conversationCreated } from './triggers/conversation-created.js';
import { conversationReplied } from './triggers/conversation-replied.js';

/**
 * The host of the API depends on the region of the workspace:
 * https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis#regional-hosting
 */
const host = {
  displayName: 'Region',
  description: '"api" for a workspace in the United States, "api.eu" in Europe, "api.au" in Australia.',
};

export const intercom = piece({
  name: 'intercom',
  displayName: 'Intercom',
  description: 'Answers conversations, and manages contacts, notes, tags and tickets.',
  categories: ['CUSTOMER_SUPPORT', 'COMMUNICATION'],
  origin: 'https://{host}.intercom.io',
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH'],
    required: true,
    description: 'The access token of an app of your own, from the Developer Hub.',
    account: { host: { ...host, pattern: 'api(\\.eu|\\.au)?' } },
    props: {
      host: { ...host, required: true, secret: false },
      accessToken: { displayName: 'Access token', description: 'From Authentication.', required: true, secret: true },
    },
    test: '/me',
    afterConnect: async (http) => {
      const me = await http.json({ method: 'GET', path: '/me' });
      return { label: textAt(me, 'app', 'name') ?? textAt(me, 'email') };
    },
    // The scopes are configured in the app: https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/setting-up-oauth
    oauth2: {
      authUrl: 'https://app.intercom.com/oauth',
      tokenUrl: 'https://api.intercom.io/auth/eagle/token',
      scopes: [],
      refresh: 'none',
    },
  },
  http: {
    headers: { 'intercom-version': '2.16', accept: 'application/json' },
    authorize,
    // Error responses have this format: https://developers.intercom.com/docs/references/rest-api/errors/http-responses
    failure: { message: ['errors.0.message'], code: ['errors.0.code'] },
    // A response that means a rate limit states when the limit ends: https://developers.intercom.com/docs/references/rest-api/errors/rate-limiting
    rateLimit: { wait: [{ header: 'x-ratelimit-reset', as: 'time' }] },
  },
  actions: {
    create_contact: createContact,
    update_contact: updateContact,
    search_contacts: searchContacts,
    get_conversation: getConversation,
    reply,
    send_message: sendMessage,
    create_note: createNote,
    assign,
    close,
    tag,
    create_ticket: createTicket,
    search_articles: searchArticles,
  },
  triggers: {
    conversation_created: conversationCreated,
    conversation_replied: conversationReplied,
    conversation_closed: conversationClosed,
    contact_created: contactCreated,
  },
});

function authorize(credential: Credential): Record<string, string> {
  if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);
  return authorizationHeader({ type: 'SECRET_TEXT', secretText: textAt(credential.props, 'accessToken') ?? '' });
}
