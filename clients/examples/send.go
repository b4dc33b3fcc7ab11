// Sends a mail and prints what became of it. Go 1.18 or newer, only the standard library: go run send.go
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Problem is what the service refused: switch on Code.
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Errors []struct {
		Pointer string `json:"pointer"`
	} `json:"errors"`
}

func (p *Problem) Error() string { return p.Detail }

var client = &http.Client{Timeout: 30 * time.Second}

func call(method, path string, body, result any) error {
	base := os.Getenv("CHASQUI_URL")
	if base == "" {
		base = "http://localhost:8080"
	}
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, base+path, &content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("CHASQUI_API_KEY"))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		problem := &Problem{}
		if err := json.NewDecoder(response.Body).Decode(problem); err != nil {
			return fmt.Errorf("status %d: %w", response.StatusCode, err)
		}
		return problem
	}
	return json.NewDecoder(response.Body).Decode(result)
}

type object = map[string]any

func main() {
	var sent struct {
		MessageID string `json:"message_id"`
	}
	err := call("POST", "/v1/mails/send", object{
		"sender_email": "test@demo.sandbox.test",
		"to":           []object{{"email": "delivered@sandbox.test", "name": "Ana"}},
		"subject":      "Hello from Go",
		"html":         "<p>It works.</p>",
	}, &sent)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.MessageID)

	var listed struct {
		Data []struct {
			MailID string `json:"mail_id"`
			To     string `json:"to"`
		} `json:"data"`
	}
	if err := call("GET", "/v1/mails?msg_id="+url.QueryEscape(sent.MessageID), nil, &listed); err != nil {
		log.Fatal(err)
	}
	for _, mail := range listed.Data {
		fmt.Println(mail.MailID, mail.To)
	}

	refused := object{"sender_email": "test@demo.sandbox.test", "to": []object{}, "subject": "Hello"}
	var problem *Problem
	if err := call("POST", "/v1/mails/send", refused, &sent); errors.As(err, &problem) {
		pointers := []string{}
		for _, each := range problem.Errors {
			pointers = append(pointers, each.Pointer)
		}
		fmt.Println(problem.Code, pointers)
	}
}
