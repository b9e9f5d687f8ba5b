import { dropdown, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { drives, itemsOf, libraries, sites } from './options.js';

const ITEM = { pattern: '^(/.*|[^/]+)$', maxLength: 1_000, refreshers: ['driveId'] } as const;
const BY_PATH = 'or a path such as';

export const driveId = dropdown('Drive', {
  description: "Defaults to the user's OneDrive.",
  maxLength: 200,
  options: drives,
});

export const itemId = dropdown('File or folder', {
  ...ITEM,
  required: true,
  description: `An id, ${BY_PATH} /Reports/2026.xlsx.`,
  options: itemsOf('all'),
});

const folder = { ...ITEM, options: itemsOf('folders') } as const;
const ROOT = 'Defaults to the root.';

export const folderId = {
  within: dropdown('Folder', { ...folder, description: `An id, ${BY_PATH} /Reports. ${ROOT}` }),
  target: dropdown('Into folder', {
    ...folder,
    required: true,
    description: `An id, ${BY_PATH} /Archive. / is the root.`,
  }),
  moved: dropdown('Into folder', {
    ...folder,
    description: `An id in the same drive, ${BY_PATH} /Archive. Defaults to the present folder.`,
  }),
  /** The folder of a trigger. It must be an id, because changes contain only the id of the folder of an item. */
  watched: dropdown('Folder', {
    ...folder,
    pattern: '^[^/]+$',
    description: 'The id of a folder, to get only the files that are directly in it. Defaults to the whole drive.',
  }),
};

/**
 * The characters that a name must not contain:
 * https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa
 */
const NAME = { pattern: '^[^"*:<>?/\\\\|]+$', maxLength: 255 } as const;

export const name = {
  folder: shortText('Name', { ...NAME, required: true, description: 'The name of the folder.' }),
  file: shortText('Name', { ...NAME, description: 'The name in the folder. Defaults to that of the file.' }),
  copy: shortText('New name', { ...NAME, description: 'The name of the copy. Defaults to that of the original.' }),
  moved: shortText('New name', { ...NAME, description: 'Defaults to the present name.' }),
};

export const siteId = dropdown('Site', {
  required: true,
  description: 'From "List sites".',
  maxLength: 300,
  options: sites,
});

export const libraryId = dropdown('Document library', {
  description: 'Defaults to the default library of the site.',
  refreshers: ['siteId'],
  maxLength: 200,
  options: libraries,
});

export const libraryFolderId = dropdown('Folder', {
  ...folder,
  refreshers: ['siteId', 'libraryId'],
  description: `An id, ${BY_PATH} /Reports. Defaults to the root.`,
});

export const limit = itemLimit({ defaultsTo: 25, maximum: 1_000 });
