/** @jsxImportSource preact */
import { FirstRunForm, type FirstRunFormProps } from "./sign_in/first_run_form.tsx";
import { LoginForm, type LoginFormProps } from "./sign_in/login_form.tsx";

type SignInFormProps =
  | ({ readonly form: "login" } & LoginFormProps)
  | ({ readonly form: "first-run" } & FirstRunFormProps);

/** The form of a page for visitors who are not signed in. Both are plain forms that work without a script. */
export default function SignInForm(props: SignInFormProps) {
  return props.form === "login" ? <LoginForm {...props} /> : <FirstRunForm {...props} />;
}
