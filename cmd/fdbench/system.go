package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ofSocket is what to do where a listener cannot be opened and nothing says so yet.
func ofSocket(err error, text string) string {
	var s *os.SyscallError
	if !errors.As(err, &s) || s.Syscall != "bind" || !strings.HasSuffix(text, s.Error()) {
		return ""
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return ". End the program that listens there, which may be an earlier run, or choose another port"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return ". This host has no such address: name one of its own"
	case errors.Is(err, fs.ErrPermission):
		return ". Choose a port above 1023"
	}
	return ""
}

// remedy is the text of an error. What the system says of a file in its own
// words is followed by what to do about it.
func remedy(err error) string {
	text := err.Error()
	var path, cause string
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		path = p.Path
		// A file of a moment's life says nothing to a reader.
		if strings.HasPrefix(filepath.Base(path), ".") && path != "." && path != ".." {
			path = filepath.Dir(path)
		}
		cause = p.Err.Error()
		text = strings.Replace(text, p.Error(), path+": "+cause, 1)
	case errors.As(err, &l):
		path, cause = l.New, l.Err.Error()
		text = strings.Replace(text, l.Error(), path+": "+cause, 1)
	default:
		return text + ofSocket(err, text)
	}
	// A message that has gone on after the cause has its remedy.
	if !strings.HasSuffix(text, cause) {
		return text
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return text + ". Change the permissions, or choose another place"
	case errors.Is(err, fs.ErrNotExist):
		return text + ". Check the path"
	case errors.Is(err, syscall.ENOTDIR):
		return text + ". A part of the path is a file where a folder has to be: choose another place"
	case errors.Is(err, syscall.EISDIR):
		return fmt.Sprintf("%s: it is a folder. Name a file in it", path)
	case errors.Is(err, syscall.EROFS):
		return text + ". Choose a place that can be written to"
	case errors.Is(err, syscall.ENOSPC):
		return text + ". Make room, and run the same command again"
	}
	return text
}
