/** A range of a sheet in A1 notation: a name is quoted, its own quotes are doubled. All of the sheet without cells. */
export function rangeOf(sheet: string, cells?: string): string {
  const name = `'${sheet.replaceAll("'", "''")}'`;
  return cells ? `${name}!${cells}` : name;
}

/** A is 0, Z is 25, AA is 26. */
export function toLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toLetter(Math.floor(index / 26) - 1) + last;
}

/** The other way round; undefined for what names no column. */
export function toIndex(letters: string): number | undefined {
  if (!/^[A-Z]{1,3}$/.test(letters)) return undefined;
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The first row of what Google calls a range, as in `'My sheet'!A5:F5`. */
export function rowOf(range: string): number | undefined {
  const row = /(?:^|!)\$?[A-Z]*\$?(\d+)/.exec(range.slice(range.lastIndexOf('!') + 1))?.[1];
  return row === undefined ? undefined : Number(row);
}
