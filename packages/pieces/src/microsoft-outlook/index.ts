import { piece } from '@drawbridge/piece-kit';
import { GRAPH_ORIGIN, graphHttp, microsoftOauth2 } from '../microsoft.js';
import { createDraft } from './actions/create-draft.js';
import { createEvent } from './actions/create-event.js';
import { findFreeTimes } from './actions/find-free-times.js';
import { forward } from './actions/forward.js';
import { getAttachment } from './actions/get-attachment.js';
import { getMessage } from './actions/get-message.js';
import { listEvents } from './actions/list-events.js';
import { listMessages } from './actions/list-messages.js';
import { move } from './actions/move.js';
import { reply } from './actions/reply.js';
import { search } from './actions/search.js';
import { sendMail } from './actions/send-mail.js';
import { IMMUTABLE_IDS } from './prefer.js';
import { eventChanged } from './triggers/event-changed.js';
import { newEvent } from './triggers/new-event.js';
import { newMail } from './triggers/new-mail.js';

export const microsoftOutlook = piece({
  name: 'microsoft-outlook',
  displayName: 'Microsoft Outlook',
  description: 'Sends and reads email, and manages calendar events.',
  categories: ['COMMUNICATION', 'PRODUCTIVITY'],
  origin: GRAPH_ORIGIN,
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: '/v1.0/me',
    shares: ['Read, change and send your email', 'Create, change and delete calendar events', 'See your profile'],
    oauth2: microsoftOauth2(['User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite']),
  },
  http: { ...graphHttp, headers: { prefer: IMMUTABLE_IDS } },
  actions: {
    send_mail: sendMail,
    reply,
    forward,
    create_draft: createDraft,
    list_messages: listMessages,
    get_message: getMessage,
    search,
    move,
    get_attachment: getAttachment,
    create_event: createEvent,
    list_events: listEvents,
    find_free_times: findFreeTimes,
  },
  triggers: { new_mail: newMail, new_event: newEvent, event_changed: eventChanged },
});
