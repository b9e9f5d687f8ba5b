/** Returns a range of a sheet in A1 notation, with quotes in the name doubled. Without cells, it is the whole sheet. */
export function rangeOf(sheet: string, cells?: string): string {
  const name = `'${sheet.replaceAll("'", "''")}'`;
  return cells ? `${name}!${cells}` : name;
}

/** Returns the letters of a column: 0 is A, 25 is Z, 26 is AA. */
export function toLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toLetter(Math.floor(index / 26) - 1) + last;
}

/** Returns the index of a column, or undefined for an invalid name. */
export function toIndex(letters: string): number | undefined {
  if (!/^[A-Z]{1,3}$/.test(letters)) return undefined;
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the first row of a range in Google's notation, such as `'My sheet'!A5:F5`. */
export function rowOf(range: string): number | undefined {
  const row = /(?:^|!)\$?[A-Z]*\$?(\d+)/.exec(range.slice(range.lastIndexOf('!') + 1))?.[1];
  return row === undefined ? undefined : Number(row);
}
