import { authorizationHeader, piece, textAt } from '@drawbridge/piece-kit';
import { copy } from './actions/copy.js';
import { createFolder } from './actions/create-folder.js';
import { deleteItem } from './actions/delete-item.js';
import { download } from './actions/download.js';
import { getMetadata } from './actions/get-metadata.js';
import { getTemporaryLink } from './actions/get-temporary-link.js';
import { listFolder } from './actions/list-folder.js';
import { listRevisions } from './actions/list-revisions.js';
import { move } from './actions/move.js';
import { restore } from './actions/restore.js';
import { search } from './actions/search.js';
import { shareLink } from './actions/share-link.js';
import { upload } from './actions/upload.js';
import { API, CONTENT } from './requests.js';
import { fileChanged } from './triggers/file-changed.js';
import { newFile } from './triggers/new-file.js';

export const dropbox = piece({
  name: 'dropbox',
  displayName: 'Dropbox',
  description: 'Uploads, finds, reads, moves and shares files and folders.',
  categories: ['CONTENT_AND_FILES'],
  origin: API,
  origins: [CONTENT],
  auth: {
    types: ['OAUTH2'],
    required: true,
    // Reads the current account to check a credential, and to show the account's email address:
    // https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account
    test: (http) => http.json({ method: 'POST', path: '/2/users/get_current_account' }),
    afterConnect: async (http) => {
      const account = await http.json({ method: 'POST', path: '/2/users/get_current_account' });
      return { label: textAt(account, 'email') };
    },
    // The OAuth flow of the provider is documented at https://developers.dropbox.com/oauth-guide
    shares: ['Read, change and delete your files', 'See and change how files are shared', 'See your account'],
    oauth2: {
      authUrl: 'https://www.dropbox.com/oauth2/authorize',
      tokenUrl: `${API}/oauth2/token`,
      scopes: [
        'account_info.read',
        'files.metadata.read',
        'files.content.read',
        'files.content.write',
        'sharing.read',
        'sharing.write',
      ],
      pkce: true,
      // Without this parameter there is no refresh token.
      authParams: { token_access_type: 'offline' },
      revoke: { url: `${API}/2/auth/token/revoke`, token: 'access', as: 'bearer' },
    },
  },
  http: {
    authorize: authorizationHeader,
    // A 409 is an error of the endpoint, such as "path/not_found/..": https://developers.dropbox.com/error-handling-guide
    failure: { message: ['user_message.text', 'error_summary'], code: ['error_summary'] },
  },
  actions: {
    upload,
    download,
    list_folder: listFolder,
    search,
    create_folder: createFolder,
    move,
    copy,
    delete: deleteItem,
    share_link: shareLink,
    get_metadata: getMetadata,
    get_temporary_link: getTemporaryLink,
    list_revisions: listRevisions,
    restore,
  },
  triggers: { file_changed: fileChanged, new_file: newFile },
});
