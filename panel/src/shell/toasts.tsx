import '@mantine/notifications/styles.layer.css';

export { Notifications as Toasts } from '@mantine/notifications';
