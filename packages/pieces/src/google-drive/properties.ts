import { dropdown, shortText } from '@drawbridge/piece-kit';
import { files, folders } from './options.js';

const ID = '^[A-Za-z0-9_-]{1,200}$';

export const file = dropdown('File', {
  required: true,
  description: 'The id, as in https://drive.google.com/file/d/<id>/view.',
  pattern: ID,
  options: files,
});

const FOLDER = { pattern: ID, options: folders } as const;

export const folder = dropdown('Folder', { ...FOLDER, description: 'The id. Defaults to "My Drive".' });
export const onlyFolder = dropdown('Folder', {
  ...FOLDER,
  description: 'Only files directly in the folder with this id.',
});
export const targetFolder = dropdown('Folder', { ...FOLDER, required: true, description: 'The id of a folder.' });

export const name = shortText('Name', {
  required: true,
  description: 'The name of the file.',
  minLength: 1,
  maxLength: 1_000,
});
export const newName = shortText('Name', {
  description: 'Defaults to the present name.',
  minLength: 1,
  maxLength: 1_000,
});
