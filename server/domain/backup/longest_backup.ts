/** Bytes of the longest backup that is taken. */
export const LONGEST_BACKUP = 100 * 1024 * 1024;
