/** @jsxImportSource preact */
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "../../server/domain/settings/password_length.ts";
import { PasswordField } from "../parts/password_field.tsx";

/** The password a second time: for browsers without a script, in which nothing can show what was typed. */
export function ConfirmField({ problem }: { readonly problem?: string | undefined }) {
  return (
    <PasswordField
      name="confirm"
      label="Once more"
      autocomplete="new-password"
      minLength={SHORTEST_PASSWORD}
      maxLength={LONGEST_PASSWORD}
      autofocus={problem !== undefined}
      shown={false}
      problem={problem}
    />
  );
}
