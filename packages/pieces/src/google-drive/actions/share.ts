import { action, checkbox, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { EMAIL, MAX_EMAIL } from '../../google.js';
import { ALL_DRIVES, pathOf } from '../files.js';
import { file } from '../properties.js';

/**
 * Grants a person, group, domain or everyone with the link access to a file:
 * https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions/create
 */
export const share = action({
  displayName: 'Share',
  description: 'Gives a person, a group, a domain or everyone with the link access to a file. Returns the permission.',
  category: 'admin',
  recipients: ['email'],
  props: {
    file,
    role: staticDropdown('Role', ['reader', 'commenter', 'writer'], {
      required: true,
      description: 'The access to give.',
    }),
    type: staticDropdown('Type', ['user', 'group', 'domain', 'anyone'], {
      required: true,
      description: '"anyone" is everyone with the link.',
    }),
    email: shortText('Email', {
      description: 'The email address of the person or group.',
      pattern: EMAIL,
      maxLength: MAX_EMAIL,
    }),
    domain: shortText('Domain', { description: 'Such as example.com, for the type "domain".', maxLength: 253 }),
    notify: checkbox('Notify', { description: 'Emails the person or group. Defaults to true.' }),
    message: longText('Message', { description: 'A text for that email.', maxLength: 2_000 }),
  },
  run: ({ http, input: { file: id, role, type, email, domain, notify, message } }) =>
    http.json({
      method: 'POST',
      path: pathOf(id, '/permissions'),
      query: { ...ALL_DRIVES, sendNotificationEmail: notify, emailMessage: message },
      json: { role, type, ...(email && { emailAddress: email }), ...(domain && { domain }) },
    }),
});
