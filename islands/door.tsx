/** @jsxImportSource preact */
import { FirstRunForm, type FirstRunFormProps } from "./door/first_run_form.tsx";
import { LoginForm, type LoginFormProps } from "./door/login_form.tsx";

type DoorFormProps =
  | ({ readonly form: "login" } & LoginFormProps)
  | ({ readonly form: "first-run" } & FirstRunFormProps);

/** The form of a page for visitors who are not signed in. Both are plain forms that work without a script. */
export default function DoorForm(props: DoorFormProps) {
  return props.form === "login" ? <LoginForm {...props} /> : <FirstRunForm {...props} />;
}
