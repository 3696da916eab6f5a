/** The one way a code is stored, `nf` → `NF`; a text that is none stays as it is. */
export function upperCode(code: string): string {
  return /^[a-z]{1,2}$/i.test(code) ? code.toUpperCase() : code;
}
