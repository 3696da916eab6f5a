/** Characters of a question that count. */
export const MOST_SEARCH_CHARACTERS = 200;
