/** Says in a corner that something is done. */
export function toast(message: string): void {
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({ message, color: 'green', autoClose: 4000, withBorder: true }),
  );
}
