/** Changes contain no path, because renaming a folder does not change the files in it. */
export const sample = {
  id: '01NKDM7HMOJTVYMDOSXFDK2QJDXCDI3WUK',
  name: 'Budget.xlsx',
  type: 'file',
  size: 20_480,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  webUrl: 'https://acme-my.sharepoint.com/personal/ann_acme_example/Documents/Budget.xlsx',
  createdDateTime: '2026-01-31T09:00:00Z',
  lastModifiedDateTime: '2026-01-31T09:00:00Z',
  lastModifiedBy: 'Ann',
  folderId: '01NKDM7HN6Y2GOVW7725BZO354PWSELRRZ',
  driveId: 'b!t18F8ybsHUq1z3LTz8xvZqP8zaSWjkFNhsME-Fepo75dTf9vQKfeRblBZjoSQrd7',
};
