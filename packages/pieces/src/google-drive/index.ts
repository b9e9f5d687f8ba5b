import { piece } from '@drawbridge/piece-kit';
import { googleHttp, googleOAuth } from '../google.js';
import { copy } from './actions/copy.js';
import { createDocument } from './actions/create-document.js';
import { createFolder } from './actions/create-folder.js';
import { download } from './actions/download.js';
import { exportFile } from './actions/export-file.js';
import { getFile } from './actions/get-file.js';
import { move } from './actions/move.js';
import { searchFiles } from './actions/search-files.js';
import { share } from './actions/share.js';
import { trash } from './actions/trash.js';
import { updateContent } from './actions/update-content.js';
import { upload } from './actions/upload.js';
import { fileChanged } from './triggers/file-changed.js';
import { fileCreated } from './triggers/file-created.js';
import { newFileInFolder } from './triggers/new-file-in-folder.js';

export const googleDrive = piece({
  name: 'google-drive',
  displayName: 'Google Drive',
  description: 'Finds, reads, uploads, converts and shares files, also of shared drives.',
  categories: ['CONTENT_AND_FILES'],
  origin: 'https://www.googleapis.com',
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: '/drive/v3/about?fields=user',
    shares: ['See, create, change, share and delete the files in your Drive'],
    oauth2: googleOAuth('drive'),
  },
  http: googleHttp,
  actions: {
    search_files: searchFiles,
    get_file: getFile,
    download,
    export: exportFile,
    upload,
    update_content: updateContent,
    create_document: createDocument,
    create_folder: createFolder,
    copy,
    move,
    share,
    trash,
  },
  triggers: { file_created: fileCreated, file_changed: fileChanged, new_file_in_folder: newFileInFolder },
});
