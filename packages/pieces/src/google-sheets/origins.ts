/** The origin of Google Drive, which lists a user's spreadsheets. */
export const DRIVE_ORIGIN = 'https://www.googleapis.com';
