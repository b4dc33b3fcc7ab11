interface EarlierForm {
  name: string;
  checksum: string;
  /** The file that it is today. */
  is: string;
}

/**
 * Migrations that were changed after databases had run them, without a change to what they do. A database that has one
 * of these forms has what the present file would give. Nothing is ever added here: `checksums.txt` keeps files as they
 * landed.
 */
export const earlierForms: readonly EarlierForm[] = [
  // A comment was put into other words.
  {
    name: '0022_mails__add_indexes.sql',
    checksum: 'e4256ba4a111d977b7ebfe6e9bd312e57fba9d769d42fd1eb04fb28b942d08de',
    is: '0022_mails__add_indexes.sql',
  },
  // Two files had the number 0033; the later one was given the next.
  {
    name: '0033_mails__find_without_reading.sql',
    checksum: 'fec84451bf82135d23bda5aee981dc2364b1ee16943871a59dea17f7b3cf123a',
    is: '0034_mails__find_without_reading.sql',
  },
];
