; The installer for Windows: for one user, without an administrator. Made by packaging/build with Debian's makensis.
Unicode true
!include "MUI2.nsh"
Name "Tabiya"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tabiya"
InstallDirRegKey HKCU "Software\Tabiya" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
; The same bytes from each build.
SetDateSave off
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tabiya"
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "Spanish"

Section
    SetOutPath "$INSTDIR"
    ; Pages of an older version that the new one does not have.
    RMDir /r "$INSTDIR\html"
    File /r "${FILES}\*.*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Tabiya.lnk" "$INSTDIR\tabiya-window.exe"
    WriteRegStr HKCU "Software\Tabiya" "Folder" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Tabiya"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Tabiya project"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\tabiya.exe"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; Records, settings and decks stay: they are in the user's own folders.
Section "Uninstall"
    Delete "$SMPROGRAMS\Tabiya.lnk"
    RMDir /r "$INSTDIR\html"
    Delete "$INSTDIR\tabiya.exe"
    Delete "$INSTDIR\tabiya-window.exe"
    Delete "$INSTDIR\LICENCES.txt"
    Delete "$INSTDIR\LICENSE.txt"
    Delete "$INSTDIR\CHANGELOG.md"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    DeleteRegKey HKCU "${UNINSTALL}"
    DeleteRegKey HKCU "Software\Tabiya"
SectionEnd
