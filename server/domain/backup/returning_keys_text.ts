/** Tells which keys a restore brings back: one that was revoked since the backup was made opens Dashdock again. */
export function returningKeysText(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => `“${name}”`);
  const named = others.length > 3 ? [first, ...others.slice(0, 2), `${others.length - 2} others`] : [first, ...others];
  return names.length === 1
    ? `The key ${first}, which is not here now, works again. Revoke it afterwards if it should not.`
    : `The keys ${named.join(", ")}, which are not here now, work again. Revoke them afterwards if they should not.`;
}
