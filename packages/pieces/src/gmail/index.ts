import { piece } from '@drawbridge/piece-kit';
import { googleHttp, googleOAuth } from '../google.js';
import { addLabels } from './actions/add-labels.js';
import { archive } from './actions/archive.js';
import { createDraft } from './actions/create-draft.js';
import { getAttachment } from './actions/get-attachment.js';
import { getMessage } from './actions/get-message.js';
import { getThread } from './actions/get-thread.js';
import { removeLabels } from './actions/remove-labels.js';
import { reply } from './actions/reply.js';
import { searchMessages } from './actions/search-messages.js';
import { sendDraft } from './actions/send-draft.js';
import { sendEmail } from './actions/send-email.js';
import { trash } from './actions/trash.js';
import { MAILBOX } from './requests.js';
import { newAttachment } from './triggers/new-attachment.js';
import { newEmail } from './triggers/new-email.js';
import { newLabeledEmail } from './triggers/new-labeled-email.js';

export const gmail = piece({
  name: 'gmail',
  displayName: 'Gmail',
  description: 'Sends, finds, reads and labels email of a Google account.',
  categories: ['COMMUNICATION', 'PRODUCTIVITY'],
  origin: 'https://gmail.googleapis.com',
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: `${MAILBOX}/profile`,
    // This scope also allows sending. It is a restricted scope: Google reviews an app before other users can grant it.
    shares: ['Read, write, send and label your email'],
    oauth2: googleOAuth('gmail.modify'),
  },
  http: googleHttp,
  actions: {
    send_email: sendEmail,
    reply,
    create_draft: createDraft,
    send_draft: sendDraft,
    search_messages: searchMessages,
    get_message: getMessage,
    get_thread: getThread,
    get_attachment: getAttachment,
    add_labels: addLabels,
    remove_labels: removeLabels,
    archive,
    trash,
  },
  triggers: { new_email: newEmail, new_labeled_email: newLabeledEmail, new_attachment: newAttachment },
});
