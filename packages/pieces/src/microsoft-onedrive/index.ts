import { piece } from '@drawbridge/piece-kit';
import { GRAPH_ORIGIN, graphHttp, microsoftOauth2 } from '../microsoft.js';
import { copy } from './actions/copy.js';
import { createFolder } from './actions/create-folder.js';
import { deleteItem } from './actions/delete.js';
import { download } from './actions/download.js';
import { getItem } from './actions/get-item.js';
import { listFolder } from './actions/list-folder.js';
import { listSiteFiles } from './actions/list-site-files.js';
import { listSites } from './actions/list-sites.js';
import { move } from './actions/move.js';
import { search } from './actions/search.js';
import { shareLink } from './actions/share-link.js';
import { upload } from './actions/upload.js';
import { fileChanged } from './triggers/file-changed.js';
import { newFile } from './triggers/new-file.js';

export const microsoftOnedrive = piece({
  name: 'microsoft-onedrive',
  displayName: 'Microsoft OneDrive',
  description: 'Reads, writes and shares files of OneDrive and SharePoint.',
  categories: ['CONTENT_AND_FILES', 'PRODUCTIVITY'],
  origin: GRAPH_ORIGIN,
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: '/v1.0/me',
    shares: ['Read, change and delete the files that you can access', 'Read SharePoint sites', 'See your profile'],
    oauth2: microsoftOauth2(['User.Read', 'Files.ReadWrite.All', 'Sites.Read.All']),
  },
  http: graphHttp,
  actions: {
    search,
    list_folder: listFolder,
    get_item: getItem,
    download,
    upload,
    create_folder: createFolder,
    copy,
    move,
    share_link: shareLink,
    delete: deleteItem,
    list_sites: listSites,
    list_site_files: listSiteFiles,
  },
  triggers: { new_file: newFile, file_changed: fileChanged },
});
