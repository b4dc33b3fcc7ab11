<?php
// Sends a mail and prints what became of it. PHP 8.1 or newer, no dependency.

final class Problem extends RuntimeException
{
    public function __construct(public readonly array $document)
    {
        parent::__construct($document['detail']);
    }
}

function call(string $method, string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [
            'Authorization: Bearer ' . getenv('CHASQUI_API_KEY'),
            'X-Instance-Slug: ' . (getenv('CHASQUI_INSTANCE') ?: 'demo'),
            'Content-Type: application/json',
        ],
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'ignore_errors' => true,
    ]]);
    $text = file_get_contents((getenv('CHASQUI_URL') ?: 'http://localhost:8080') . $path, false, $context);
    if ($text === false) {
        throw new RuntimeException('No answer.');
    }
    $answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    if (isset($answer['code'], $answer['trace_id'])) {
        throw new Problem($answer);
    }
    return $answer;
}

$sent = call('POST', '/v1/mails/send', [
    'sender_email' => 'test@demo.sandbox.test',
    'to' => [['email' => 'delivered@sandbox.test', 'name' => 'Ana']],
    'subject' => 'Hello from PHP',
    'html' => '<p>It works.</p>',
]);
echo $sent['message_id'], "\n";

foreach (call('GET', '/v1/mails?msg_id=' . urlencode($sent['message_id']))['data'] as $mail) {
    echo $mail['mail_id'], ' ', $mail['to'], "\n";
}

try {
    call('POST', '/v1/mails/send', ['sender_email' => 'test@demo.sandbox.test', 'to' => [], 'subject' => 'Hello']);
} catch (Problem $problem) {
    $pointers = array_column($problem->document['errors'] ?? [], 'pointer');
    echo $problem->document['code'], ' ', json_encode($pointers, JSON_UNESCAPED_SLASHES), "\n";
}
