import { useMe } from '../../parts/app/me.ts';

/** Tells password managers whose password a form asks for. */
export function AccountName() {
  return <input type="text" autoComplete="username" value={useMe()?.user.email ?? ''} readOnly hidden />;
}
