/** Where Google Drive answers, which knows the spreadsheets of a person. */
export const DRIVE_ORIGIN = 'https://www.googleapis.com';
